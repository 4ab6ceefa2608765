CREATE TABLE "badge_positions" (
	"game" text collate "C" PRIMARY KEY NOT NULL,
	"position" uuid NOT NULL,
	"updated_at" timestamp with time zone DEFAULT now() NOT NULL
);
--> statement-breakpoint
CREATE TABLE "badge_rules" (
	"game" text collate "C" NOT NULL,
	"badge" text NOT NULL,
	"threshold" bigint NOT NULL,
	"starts_at" timestamp with time zone NOT NULL,
	"ends_at" timestamp with time zone,
	CONSTRAINT "badge_rules_pk" PRIMARY KEY("game","badge","starts_at")
);

--> statement-breakpoint
-- Keeps badge_rules in step with games.badges: a threshold that changes ends one rule and starts the next.
create function keep_badge_rules_v1() returns trigger language plpgsql as $$
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
--> statement-breakpoint
create trigger games_keep_badge_rules after insert or update of badges on games
for each row execute function keep_badge_rules_v1();
--> statement-breakpoint
insert into badge_rules (game, badge, threshold, starts_at)
select g.game, t.badge, t.threshold, g.created_at
from games g, jsonb_to_recordset(g.badges) as t (badge text, threshold bigint);
