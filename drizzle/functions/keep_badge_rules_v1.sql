-- Trigger of games: keeps badge_rules in step with games.badges. A threshold that changes ends one rule and starts the next.
-- Locks: none but those of the rows.
-- Called by: the trigger games_keep_badge_rules.
create or replace function keep_badge_rules_v1() returns trigger language plpgsql as $$
begin
  update badge_rules r set ends_at = now()
  where r.game = new.game and r.ends_at is null and not exists (
    select from jsonb_to_recordset(new.badges) as t (badge text, threshold bigint)
    where t.badge = r.badge and t.threshold = r.threshold);
  insert into badge_rules as r (game, badge, threshold, starts_at)
  select new.game, t.badge, t.threshold, now()
  from jsonb_to_recordset(new.badges) as t (badge text, threshold bigint)
  where not exists (
    select from badge_rules o where o.game = new.game and o.badge = t.badge and o.ends_at is null)
  on conflict on constraint badge_rules_pk do update set threshold = excluded.threshold, ends_at = null;
  return null;
end $$;
