/**
 * Users that are logged in: {@link dev.penstock.daytrader.session.Sessions} by random ids, {@link
 * dev.penstock.daytrader.session.Passwords} as slow hashes, and a {@link dev.penstock.daytrader.session.LoginLimit} for
 * those who guess. Everything here is bounded in memory, forgets by time, and knows neither HTTP nor a database.
 */
@NullMarked
package dev.penstock.daytrader.session;

import org.jspecify.annotations.NullMarked;
