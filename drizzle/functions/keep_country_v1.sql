-- Trigger of bests: a player counts for at most five countries a week, the first five different ones. Every submission takes them off
-- the boards of the countries that they left, so without a bound a player who names another country each time makes it write to all
-- there are. What is submitted from a sixth country counts, for the country that the player is in.
-- Locks: none.
-- Called by: the trigger bests_countries, which knows when.
create or replace function keep_country_v1() returns trigger language plpgsql as $$
begin
  new.country := old.country;
  new.left_countries := old.left_countries;
  return new;
end $$;
