-- Indexes, keys to other tables and views, made when the rows are there.

CREATE INDEX film_title ON film (title);
CREATE INDEX film_rating ON film (rating);
CREATE INDEX film_length ON film (length);
CREATE INDEX film_language ON film (language_id);
CREATE INDEX film_original_language ON film (original_language_id);
CREATE INDEX film_category_category ON film_category (category_id);
CREATE INDEX film_actor_film ON film_actor (film_id);
CREATE INDEX actor_last_name ON actor (last_name);
CREATE INDEX city_country ON city (country_id);
CREATE INDEX address_city ON address (city_id);
CREATE INDEX customer_store ON customer (store_id);
CREATE INDEX customer_address ON customer (address_id);
CREATE INDEX customer_last_name ON customer (last_name);
CREATE INDEX inventory_film ON inventory (film_id);
CREATE INDEX inventory_store_film ON inventory (store_id, film_id);
CREATE INDEX rental_inventory ON rental (inventory_id);
CREATE INDEX rental_customer ON rental (customer_id);
CREATE INDEX rental_staff ON rental (staff_id);
CREATE INDEX payment_customer ON payment (customer_id);
CREATE INDEX payment_staff ON payment (staff_id);
CREATE INDEX payment_rental ON payment (rental_id);
CREATE INDEX staff_address ON staff (address_id);
CREATE INDEX staff_store ON staff (store_id);
CREATE INDEX store_address ON store (address_id);
CREATE UNIQUE INDEX store_manager ON store (manager_staff_id);
CREATE UNIQUE INDEX rental_once ON rental (rental_date, inventory_id, customer_id);

ALTER TABLE film ADD CONSTRAINT fk_film_language FOREIGN KEY (language_id) REFERENCES language (language_id){known};
ALTER TABLE film ADD CONSTRAINT fk_film_original_language FOREIGN KEY (original_language_id) REFERENCES language (language_id){known};
ALTER TABLE film_category ADD CONSTRAINT fk_film_category_film FOREIGN KEY (film_id) REFERENCES film (film_id){known};
ALTER TABLE film_category ADD CONSTRAINT fk_film_category_category FOREIGN KEY (category_id) REFERENCES category (category_id){known};
ALTER TABLE film_actor ADD CONSTRAINT fk_film_actor_actor FOREIGN KEY (actor_id) REFERENCES actor (actor_id){known};
ALTER TABLE film_actor ADD CONSTRAINT fk_film_actor_film FOREIGN KEY (film_id) REFERENCES film (film_id){known};
ALTER TABLE city ADD CONSTRAINT fk_city_country FOREIGN KEY (country_id) REFERENCES country (country_id){known};
ALTER TABLE address ADD CONSTRAINT fk_address_city FOREIGN KEY (city_id) REFERENCES city (city_id){known};
ALTER TABLE store ADD CONSTRAINT fk_store_address FOREIGN KEY (address_id) REFERENCES address (address_id){known};
ALTER TABLE store ADD CONSTRAINT fk_store_staff FOREIGN KEY (manager_staff_id) REFERENCES staff (staff_id){known};
ALTER TABLE staff ADD CONSTRAINT fk_staff_address FOREIGN KEY (address_id) REFERENCES address (address_id){known};
ALTER TABLE staff ADD CONSTRAINT fk_staff_store FOREIGN KEY (store_id) REFERENCES store (store_id){known};
ALTER TABLE customer ADD CONSTRAINT fk_customer_store FOREIGN KEY (store_id) REFERENCES store (store_id){known};
ALTER TABLE customer ADD CONSTRAINT fk_customer_address FOREIGN KEY (address_id) REFERENCES address (address_id){known};
ALTER TABLE inventory ADD CONSTRAINT fk_inventory_film FOREIGN KEY (film_id) REFERENCES film (film_id){known};
ALTER TABLE inventory ADD CONSTRAINT fk_inventory_store FOREIGN KEY (store_id) REFERENCES store (store_id){known};
ALTER TABLE rental ADD CONSTRAINT fk_rental_inventory FOREIGN KEY (inventory_id) REFERENCES inventory (inventory_id){known};
ALTER TABLE rental ADD CONSTRAINT fk_rental_customer FOREIGN KEY (customer_id) REFERENCES customer (customer_id){known};
ALTER TABLE rental ADD CONSTRAINT fk_rental_staff FOREIGN KEY (staff_id) REFERENCES staff (staff_id){known};
ALTER TABLE payment ADD CONSTRAINT fk_payment_customer FOREIGN KEY (customer_id) REFERENCES customer (customer_id){known};
ALTER TABLE payment ADD CONSTRAINT fk_payment_staff FOREIGN KEY (staff_id) REFERENCES staff (staff_id){known};
ALTER TABLE payment ADD CONSTRAINT fk_payment_rental FOREIGN KEY (rental_id) REFERENCES rental (rental_id){known};

CREATE VIEW film_list AS
    SELECT film.film_id AS fid, film.title, film.description, category.name AS category, film.rental_rate AS price,
        film.length, film.rating
    FROM film JOIN film_category ON film_category.film_id = film.film_id
    JOIN category ON category.category_id = film_category.category_id;

CREATE VIEW customer_list AS
    SELECT customer.customer_id AS id, CONCAT(customer.first_name, ' ', customer.last_name) AS name, address.address,
        address.postal_code, address.phone, city.city, country.country, customer.active, customer.store_id AS sid
    FROM customer JOIN address ON address.address_id = customer.address_id
    JOIN city ON city.city_id = address.city_id JOIN country ON country.country_id = city.country_id;

CREATE VIEW staff_list AS
    SELECT staff.staff_id AS id, CONCAT(staff.first_name, ' ', staff.last_name) AS name, address.address,
        address.postal_code, address.phone, city.city, country.country, staff.store_id AS sid
    FROM staff JOIN address ON address.address_id = staff.address_id
    JOIN city ON city.city_id = address.city_id JOIN country ON country.country_id = city.country_id;

CREATE VIEW sales_by_film_category AS
    SELECT category.name AS category, SUM(payment.amount) AS total_sales
    FROM payment JOIN rental ON rental.rental_id = payment.rental_id
    JOIN inventory ON inventory.inventory_id = rental.inventory_id
    JOIN film_category ON film_category.film_id = inventory.film_id
    JOIN category ON category.category_id = film_category.category_id
    GROUP BY category.name;

CREATE VIEW sales_by_store AS
    SELECT store.store_id, CONCAT(staff.first_name, ' ', staff.last_name) AS manager, SUM(payment.amount) AS total_sales
    FROM payment JOIN rental ON rental.rental_id = payment.rental_id
    JOIN inventory ON inventory.inventory_id = rental.inventory_id
    JOIN store ON store.store_id = inventory.store_id JOIN staff ON staff.staff_id = store.manager_staff_id
    GROUP BY store.store_id, staff.first_name, staff.last_name;
