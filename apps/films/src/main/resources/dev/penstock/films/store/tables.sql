-- The sixteen tables of the film store, after the Sakila sample schema. What stands in braces is each database's own:
-- see Dialect. Keys to other tables, indexes and views follow in keys.sql, when the rows are there.

{enums}

CREATE TABLE language (
    language_id {identity},
    name VARCHAR(20){exact} NOT NULL,
    last_update {time} DEFAULT CURRENT_TIMESTAMP NOT NULL);

CREATE TABLE category (
    category_id {identity},
    name VARCHAR(25){exact} NOT NULL,
    last_update {time} DEFAULT CURRENT_TIMESTAMP NOT NULL);

CREATE TABLE film (
    film_id {identity},
    title VARCHAR(128){exact} NOT NULL,
    description {text},
    release_year {year},
    language_id INTEGER NOT NULL,
    original_language_id INTEGER,
    rental_duration SMALLINT DEFAULT 3 NOT NULL,
    rental_rate DECIMAL(4, 2) DEFAULT 4.99 NOT NULL,
    length SMALLINT,
    replacement_cost DECIMAL(5, 2) DEFAULT 19.99 NOT NULL,
    rating {rating} DEFAULT 'G',
    special_features {features},
    last_update {time} DEFAULT CURRENT_TIMESTAMP NOT NULL);

CREATE TABLE film_text (
    film_id INTEGER PRIMARY KEY,
    title VARCHAR(128){exact} NOT NULL,
    description {text});

CREATE TABLE film_category (
    film_id INTEGER NOT NULL,
    category_id INTEGER NOT NULL,
    last_update {time} DEFAULT CURRENT_TIMESTAMP NOT NULL,
    PRIMARY KEY (film_id, category_id));

CREATE TABLE actor (
    actor_id {identity},
    first_name VARCHAR(45){exact} NOT NULL,
    last_name VARCHAR(45){exact} NOT NULL,
    last_update {time} DEFAULT CURRENT_TIMESTAMP NOT NULL);

CREATE TABLE film_actor (
    actor_id INTEGER NOT NULL,
    film_id INTEGER NOT NULL,
    last_update {time} DEFAULT CURRENT_TIMESTAMP NOT NULL,
    PRIMARY KEY (actor_id, film_id));

CREATE TABLE country (
    country_id {identity},
    country VARCHAR(50){exact} NOT NULL,
    last_update {time} DEFAULT CURRENT_TIMESTAMP NOT NULL);

CREATE TABLE city (
    city_id {identity},
    city VARCHAR(50){exact} NOT NULL,
    country_id INTEGER NOT NULL,
    last_update {time} DEFAULT CURRENT_TIMESTAMP NOT NULL);

CREATE TABLE address (
    address_id {identity},
    address VARCHAR(50) NOT NULL,
    address2 VARCHAR(50),
    district VARCHAR(20) NOT NULL,
    city_id INTEGER NOT NULL,
    postal_code VARCHAR(10),
    phone VARCHAR(20) NOT NULL,
    last_update {time} DEFAULT CURRENT_TIMESTAMP NOT NULL);

CREATE TABLE store (
    store_id {identity},
    manager_staff_id INTEGER NOT NULL,
    address_id INTEGER NOT NULL,
    last_update {time} DEFAULT CURRENT_TIMESTAMP NOT NULL);

CREATE TABLE staff (
    staff_id {identity},
    first_name VARCHAR(45){exact} NOT NULL,
    last_name VARCHAR(45){exact} NOT NULL,
    address_id INTEGER NOT NULL,
    picture {bytes},
    email VARCHAR(50),
    store_id INTEGER NOT NULL,
    active BOOLEAN DEFAULT TRUE NOT NULL,
    username VARCHAR(40) NOT NULL,
    password VARCHAR(64),
    last_update {time} DEFAULT CURRENT_TIMESTAMP NOT NULL);

CREATE TABLE customer (
    customer_id {identity},
    store_id INTEGER NOT NULL,
    first_name VARCHAR(45){exact} NOT NULL,
    last_name VARCHAR(45){exact} NOT NULL,
    email VARCHAR(80),
    address_id INTEGER NOT NULL,
    active BOOLEAN DEFAULT TRUE NOT NULL,
    create_date {time} NOT NULL,
    last_update {time} DEFAULT CURRENT_TIMESTAMP);

CREATE TABLE inventory (
    inventory_id {identity},
    film_id INTEGER NOT NULL,
    store_id INTEGER NOT NULL,
    last_update {time} DEFAULT CURRENT_TIMESTAMP NOT NULL);

CREATE TABLE rental (
    rental_id {identity},
    rental_date {time} NOT NULL,
    inventory_id INTEGER NOT NULL,
    customer_id INTEGER NOT NULL,
    return_date {time},
    staff_id INTEGER NOT NULL,
    last_update {time} DEFAULT CURRENT_TIMESTAMP NOT NULL);

CREATE TABLE payment (
    payment_id {identity},
    customer_id INTEGER NOT NULL,
    staff_id INTEGER NOT NULL,
    rental_id INTEGER,
    amount DECIMAL(5, 2) NOT NULL,
    payment_date {time} NOT NULL,
    last_update {time} DEFAULT CURRENT_TIMESTAMP);
