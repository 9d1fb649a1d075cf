package dev.penstock.daytrader.trade;

/** The data of a user, who may change them. The password is not part of it. */
public record AccountProfile(
        String userID, String fullName, String address, String email, String creditCard) {}
