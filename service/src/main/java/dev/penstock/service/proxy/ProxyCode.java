package dev.penstock.service.proxy;

import static java.lang.constant.ConstantDescs.CD_CallSite;
import static java.lang.constant.ConstantDescs.CD_MethodHandle;
import static java.lang.constant.ConstantDescs.CD_MethodHandles_Lookup;
import static java.lang.constant.ConstantDescs.CD_MethodType;
import static java.lang.constant.ConstantDescs.CD_Object;
import static java.lang.constant.ConstantDescs.CD_String;
import static java.lang.constant.ConstantDescs.CD_Throwable;
import static java.lang.constant.ConstantDescs.CD_void;

import java.lang.classfile.CodeBuilder;
import java.lang.classfile.Label;
import java.lang.classfile.TypeKind;
import java.lang.constant.ClassDesc;
import java.lang.constant.DirectMethodHandleDesc;
import java.lang.constant.DynamicCallSiteDesc;
import java.lang.constant.MethodHandleDesc;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.LambdaMetafactory;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** The bodies of a proxy's methods, as bytecode; each is shown as Java in the package's description. */
final class ProxyCode {
    private static final ClassDesc CALL = ProxyClass.describe(ProxyCall.class);

    private static final MethodTypeDesc BORROW = MethodTypeDesc.of(CD_Object, CD_String);
    private static final MethodTypeDesc SERVICE = MethodTypeDesc.of(CD_Object, CD_Object);
    private static final MethodTypeDesc COMPLETE = MethodTypeDesc.of(CD_void, CD_Object);
    private static final MethodTypeDesc FAIL =
            MethodTypeDesc.of(CD_Throwable, CD_Object, CD_Throwable);
    private static final MethodTypeDesc ONE_WAY = MethodTypeDesc.of(CD_void, CD_String, CALL);
    private static final MethodTypeDesc STAGE =
            MethodTypeDesc.of(ProxyClass.describe(CompletableFuture.class), CD_String, CALL);
    private static final MethodTypeDesc AWAIT = MethodTypeDesc.of(CD_Object, CD_String, CALL);
    private static final MethodTypeDesc CALLED = MethodTypeDesc.of(CD_Object, CD_Object);

    private static final DirectMethodHandleDesc METAFACTORY =
            MethodHandleDesc.ofMethod(
                    DirectMethodHandleDesc.Kind.STATIC,
                    ProxyClass.describe(LambdaMetafactory.class),
                    "metafactory",
                    MethodTypeDesc.of(
                            CD_CallSite,
                            CD_MethodHandles_Lookup,
                            CD_String,
                            CD_MethodType,
                            CD_MethodType,
                            CD_MethodHandle,
                            CD_MethodType));

    private final ClassDesc self;
    private final ClassDesc service;
    private final List<String> names;

    ProxyCode(ClassDesc self, ClassDesc service, List<String> names) {
        this.self = self;
        this.service = service;
        this.names = names;
    }

    /** A lambda's body takes what it has captured, then the instance. */
    static MethodTypeDesc lambdaType(ProxyMethod method) {
        MethodTypeDesc type = method.descriptor();
        return type.insertParameterTypes(type.parameterCount(), CD_Object)
                .changeReturnType(CD_Object);
    }

    /** Borrows, calls, gives back: no branch, no allocation. */
    void writeBlocking(CodeBuilder code, ProxyMethod method) {
        TypeKind result = TypeKind.from(method.type().returnType());
        int target = code.allocateLocal(TypeKind.REFERENCE);
        int lease = code.allocateLocal(TypeKind.REFERENCE);
        Label begin = code.newLabel();
        Label end = code.newLabel();
        Label caught = code.newLabel();
        loadTarget(code, method);
        code.astore(target).aload(target).loadConstant(method.name());
        code.invokeinterface(ProxyClass.TARGET, "borrow", BORROW).astore(lease);
        code.labelBinding(begin);
        code.aload(target).aload(lease);
        code.invokeinterface(ProxyClass.TARGET, "service", SERVICE).checkcast(service);
        loadArguments(code, method, 1);
        code.invokeinterface(service, method.name(), method.descriptor());
        int value = result == TypeKind.VOID ? -1 : code.allocateLocal(result);
        if (value >= 0) {
            code.storeLocal(result, value);
        }
        code.labelBinding(end);
        code.aload(target).aload(lease);
        code.invokeinterface(ProxyClass.TARGET, "complete", COMPLETE);
        if (value >= 0) {
            code.loadLocal(result, value);
        }
        code.return_(result);
        code.labelBinding(caught);
        writeFailure(code, target, lease);
        code.exceptionCatchAll(begin, end, caught);
    }

    private static void writeFailure(CodeBuilder code, int target, int lease) {
        int failure = code.allocateLocal(TypeKind.REFERENCE);
        code.astore(failure).aload(target).aload(lease).aload(failure);
        code.invokeinterface(ProxyClass.TARGET, "fail", FAIL).athrow();
    }

    /** Captures the arguments and hands the call over; returns a future, a result that was awaited, or nothing. */
    void writeHandOver(CodeBuilder code, ProxyMethod method, String lambda) {
        loadTarget(code, method);
        code.loadConstant(method.name());
        loadArguments(code, method, 1);
        code.invokedynamic(
                DynamicCallSiteDesc.of(
                        METAFACTORY,
                        "call",
                        method.descriptor().changeReturnType(CALL),
                        CALLED,
                        MethodHandleDesc.ofMethod(
                                DirectMethodHandleDesc.Kind.STATIC,
                                self,
                                lambda,
                                lambdaType(method)),
                        CALLED));
        switch (method.kind()) {
            case ONE_WAY -> code.invokeinterface(ProxyClass.TARGET, "oneway", ONE_WAY).return_();
            case ASYNCHRONOUS -> code.invokeinterface(ProxyClass.TARGET, "stage", STAGE).areturn();
            case BLOCKING -> {
                code.invokeinterface(ProxyClass.TARGET, "await", AWAIT);
                unbox(code, method.type());
                code.return_(TypeKind.from(method.type().returnType()));
            }
        }
    }

    /** Makes the call that was handed over, on the instance. */
    void writeLambda(CodeBuilder code, ProxyMethod method) {
        code.aload(method.slots()).checkcast(service);
        loadArguments(code, method, 0);
        code.invokeinterface(service, method.name(), method.descriptor());
        box(code, method.type());
        code.areturn();
    }

    /** Calls the method of the same name and parameters that returns the more special type. */
    void writeForward(CodeBuilder code, ProxyMethod method, Method same) {
        code.aload(0);
        loadArguments(code, method, 1);
        code.invokeinterface(service, method.name(), ProxyMethod.descriptor(same)).areturn();
    }

    private void loadTarget(CodeBuilder code, ProxyMethod method) {
        int name = names.indexOf(method.name());
        code.aload(0).getfield(self, ProxyClass.field(name), ProxyClass.TARGET);
    }

    private static void loadArguments(CodeBuilder code, ProxyMethod method, int first) {
        int slot = first;
        for (Class<?> each : method.type().parameterArray()) {
            TypeKind kind = TypeKind.from(each);
            code.loadLocal(kind, slot);
            slot += kind.slotSize();
        }
    }

    private static void box(CodeBuilder code, MethodType method) {
        Class<?> type = method.returnType();
        if (type == void.class) {
            code.aconst_null();
        } else if (type.isPrimitive()) {
            ClassDesc boxed = ProxyClass.describe(method.wrap().returnType());
            code.invokestatic(
                    boxed, "valueOf", MethodTypeDesc.of(boxed, ProxyClass.describe(type)));
        }
    }

    private static void unbox(CodeBuilder code, MethodType method) {
        Class<?> type = method.returnType();
        ClassDesc wrapped = ProxyClass.describe(method.wrap().returnType());
        if (type == void.class) {
            code.pop();
        } else if (type.isPrimitive()) {
            MethodTypeDesc value = MethodTypeDesc.of(ProxyClass.describe(type));
            code.checkcast(wrapped).invokevirtual(wrapped, type.getName() + "Value", value);
        } else {
            code.checkcast(wrapped);
        }
    }
}
