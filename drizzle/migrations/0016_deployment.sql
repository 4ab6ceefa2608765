CREATE TABLE "deployment" (
	"one" boolean PRIMARY KEY DEFAULT true NOT NULL,
	"id" uuid DEFAULT gen_random_uuid() NOT NULL,
	"created_at" timestamp with time zone DEFAULT now() NOT NULL,
	CONSTRAINT "deployment_has_one_row" CHECK ("deployment"."one")
);
--> statement-breakpoint
-- The id of this deployment, made by whoever asks first.
create or replace function deployment_id_v1() returns uuid language plpgsql as $$
begin
  insert into deployment default values on conflict do nothing;
  return (select id from deployment);
end $$;
