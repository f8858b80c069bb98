import type { Knex } from 'knex'
import { enableTenantRows } from '#kernel'

/** The log of requests and what checks of providers found, both in partitions by day; figures, rules and alerts. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    create table ai_request_log (
      id text not null,
      at timestamptz not null,
      trace_id text not null,
      -- Null where it was refused before anything was held for it.
      request_id uuid,
      tenant_id int not null,
      user_id int, key_id text, agent_id text, conversation_id text,
      purpose text not null, model text not null, route text, stream boolean not null,
      -- The one that was asked last, and the first where that is another. No array: behind the policy no index could find a part of it.
      provider_id text, first_provider_id text,
      attempts jsonb not null,
      outcome text not null, level text not null,
      usage jsonb, cost_nano bigint not null,
      ttft_ms int, duration_ms int not null,
      primary key (id, at)
    ) partition by range (at);
    create index ai_request_log_own on ai_request_log (tenant_id, at desc, id desc);
    create index ai_request_log_time on ai_request_log (at desc, id desc);
    create index ai_request_log_trace on ai_request_log (trace_id);
    create index ai_request_log_provider on ai_request_log (provider_id, at desc, id desc);
    create index ai_request_log_first on ai_request_log (first_provider_id, at desc, id desc) where first_provider_id is not null;
    create index ai_request_log_level on ai_request_log (level, at desc, id desc) where level <> 'info';
    create index ai_request_log_outcome on ai_request_log (outcome, at desc, id desc) where outcome <> 'ok';
    create table ai_request_log_default partition of ai_request_log default;

    create table ai_health_checks (
      id text not null,
      at timestamptz not null,
      -- Whose the provider is.
      tenant_id int not null,
      provider_id text not null,
      -- The model at the provider; null of the whole provider.
      target text,
      kind text not null, level text not null,
      ok boolean not null, ms int, status int, class text, detail text,
      cost_nano bigint not null,
      node text not null,
      primary key (id, at)
    ) partition by range (at);
    create index ai_health_checks_provider on ai_health_checks (provider_id, at desc, id desc);
    create index ai_health_checks_own on ai_health_checks (tenant_id, at desc, id desc);
    create index ai_health_checks_time on ai_health_checks (at desc, id desc);
    create index ai_health_checks_asked on ai_health_checks (kind, at desc, id desc) where kind <> 'passive';
    create index ai_health_checks_bad on ai_health_checks (at desc, id desc) where not ok;
    create table ai_health_checks_default partition of ai_health_checks default;

    -- Attempts since the beginning, whatever becomes of hosts.
    create table ai_call_totals (
      tenant_id int not null,
      -- Empty for requests that no provider was asked for.
      provider_id text not null,
      model text not null,
      outcome text not null,
      calls bigint not null,
      -- Rows of the ledger that the provider did not say the figures of.
      estimated bigint not null,
      primary key (tenant_id, provider_id, model, outcome)
    );

    create table ai_alert_rules (
      id text primary key,
      tenant_id int not null,
      name text not null,
      condition jsonb not null,
      notify jsonb not null,
      -- Sealed, and where it is without what may be secret.
      webhook text, webhook_hint text,
      cooldown_s int not null,
      -- Since when the condition holds, though not yet for long enough; null where it does not.
      pending_since timestamptz,
      value double precision,
      told_at timestamptz,
      created_at timestamptz not null default now(),
      created_by int
    );
    create index ai_alert_rules_tenant on ai_alert_rules (tenant_id, created_at desc, id);
    create table ai_alerts (
      id text primary key,
      tenant_id int not null,
      -- Null of those that the platform raises without a rule.
      rule_id text references ai_alert_rules (id) on delete cascade,
      -- What there is one open alert of at most.
      subject text not null,
      name text not null,
      metric text not null,
      since timestamptz not null,
      value double precision not null,
      told_at timestamptz,
      resolved_at timestamptz
    );
    create unique index ai_alerts_open on ai_alerts (tenant_id, subject) where resolved_at is null;
    create index ai_alerts_rule on ai_alerts (rule_id);
    create index ai_alerts_over on ai_alerts (resolved_at)`)
  const parents = ['ai_request_log', 'ai_health_checks']
  const tables = [...parents, ...parents.map((table) => `${table}_default`)]
  for (const table of [...tables, 'ai_call_totals', 'ai_alert_rules', 'ai_alerts']) await enableTenantRows(db, table)
  await db.raw('create index ai_gateway_figures_own on ai_gateway_figures (tenant_id, at)')
}
