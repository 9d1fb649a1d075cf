package dev.penstock.service.proxy;

import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_boolean;
import static java.lang.constant.ConstantDescs.CD_int;
import static java.lang.constant.ConstantDescs.CD_void;
import static java.lang.constant.ConstantDescs.INIT_NAME;
import static java.lang.constant.ConstantDescs.MTD_void;

import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Opcode;
import java.lang.constant.ClassDesc;
import java.lang.constant.MethodTypeDesc;

/** The class of an interface's proxies, as bytes: its fields, its constructor, and the methods of every object. */
final class ProxyClass {
    static final ClassDesc TARGET = describe(ProxyTarget.class);

    private static final String DESCRIPTION = "description";
    private static final MethodTypeDesc CONSTRUCTOR =
            MethodTypeDesc.of(CD_void, TARGET.arrayType(), CD_String);

    private final ClassDesc self;
    private final Class<?> type;
    private final ProxyMethods methods;
    private final boolean shipped;

    /**
     * The class of proxies for an interface.
     *
     * @param shipped whether instances own their threads, so that even blocking calls are handed to them
     */
    ProxyClass(String name, Class<?> type, ProxyMethods methods, boolean shipped) {
        this.self = ClassDesc.of(name);
        this.type = type;
        this.methods = methods;
        this.shipped = shipped;
    }

    static ClassDesc describe(Class<?> type) {
        return type.describeConstable().orElseThrow();
    }

    static String field(int name) {
        return "target" + name;
    }

    byte[] bytes() {
        return ClassFile.of().build(self, this::write);
    }

    private void write(ClassBuilder builder) {
        builder.withFlags(
                ClassFile.ACC_PUBLIC
                        | ClassFile.ACC_FINAL
                        | ClassFile.ACC_SUPER
                        | ClassFile.ACC_SYNTHETIC);
        builder.withInterfaceSymbols(describe(type));
        builder.withField(DESCRIPTION, CD_String, ClassFile.ACC_PRIVATE | ClassFile.ACC_FINAL);
        for (int i = 0; i < methods.names().size(); i++) {
            builder.withField(field(i), TARGET, ClassFile.ACC_PRIVATE | ClassFile.ACC_FINAL);
        }
        builder.withMethodBody(
                INIT_NAME, CONSTRUCTOR, ClassFile.ACC_PUBLIC, this::writeConstructor);
        writeObjectMethods(builder);
        for (String each : methods.ignored()) {
            builder.withMethodBody(each, MTD_void, ClassFile.ACC_PUBLIC, CodeBuilder::return_);
        }
        ProxyCode code = new ProxyCode(self, describe(type), methods.names());
        for (int i = 0; i < methods.served().size(); i++) {
            writeMethod(builder, code, methods.served().get(i), "call" + i);
        }
    }

    private void writeConstructor(CodeBuilder code) {
        code.aload(0).invokespecial(CD_Object, INIT_NAME, MTD_void);
        code.aload(0).aload(2).putfield(self, DESCRIPTION, CD_String);
        for (int i = 0; i < methods.names().size(); i++) {
            code.aload(0).aload(1).loadConstant(i).aaload().putfield(self, field(i), TARGET);
        }
        code.return_();
    }

    /** A proxy is equal to itself alone. */
    private void writeObjectMethods(ClassBuilder builder) {
        MethodTypeDesc ofObject = MethodTypeDesc.of(CD_int, CD_Object);
        builder.withMethodBody(
                "equals",
                MethodTypeDesc.of(CD_boolean, CD_Object),
                ClassFile.ACC_PUBLIC,
                code ->
                        code.aload(0)
                                .aload(1)
                                .ifThenElse(
                                        Opcode.IF_ACMPEQ,
                                        same -> same.iconst_1().ireturn(),
                                        other -> other.iconst_0().ireturn()));
        builder.withMethodBody(
                "hashCode",
                MethodTypeDesc.of(CD_int),
                ClassFile.ACC_PUBLIC,
                code ->
                        code.aload(0)
                                .invokestatic(describe(System.class), "identityHashCode", ofObject)
                                .ireturn());
        builder.withMethodBody(
                "toString",
                MethodTypeDesc.of(CD_String),
                ClassFile.ACC_PUBLIC,
                code -> code.aload(0).getfield(self, DESCRIPTION, CD_String).areturn());
    }

    private void writeMethod(
            ClassBuilder builder, ProxyCode body, ProxyMethod method, String lambda) {
        boolean captured = method.same() == null && (shipped || method.kind() != CallKind.BLOCKING);
        builder.withMethodBody(
                method.name(),
                method.descriptor(),
                ClassFile.ACC_PUBLIC,
                code -> {
                    if (captured) {
                        body.writeHandOver(code, method, lambda);
                    } else if (method.same() == null) {
                        body.writeBlocking(code, method);
                    } else {
                        body.writeForward(code, method, method.same());
                    }
                });
        if (captured) {
            builder.withMethodBody(
                    lambda,
                    ProxyCode.lambdaType(method),
                    ClassFile.ACC_PRIVATE | ClassFile.ACC_STATIC | ClassFile.ACC_SYNTHETIC,
                    code -> body.writeLambda(code, method));
        }
    }
}
