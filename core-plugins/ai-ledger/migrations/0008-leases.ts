import type { Knex } from 'knex'

/**
 * Leases: what a host has of a bucket in advance, so that its calls need not write the bucket. Whoever locks, locks leases by their ids
 * first, then holds, then buckets in the order of their keys.
 */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    alter table ai_quota_leases
      drop column is_closed,
      -- What its calls used, and how much of the amount that took: not yet in the bucket.
      add column used bigint not null default 0,
      add column spent bigint not null default 0;
    drop index ai_quota_leases_expiry;
    create index ai_quota_leases_host on ai_quota_leases (host_id);
    drop function ai_reserve(uuid, jsonb, text[], text[], timestamptz[], bigint[], bigint[], int[], uuid[])`)
  for (const statement of [reserve, settle, take, renew, close]) await db.raw(statement)
}

/** As before; a lease that is gone undoes the call, and of a bucket that is too full it is told whether somebody has a lease of it. */
const reserve = `
create function ai_reserve(
  p_request uuid, p_about jsonb, p_quota text[], p_bucket text[], p_window timestamptz[],
  p_amount bigint[], p_limit bigint[], p_owner int[], p_lease uuid[])
returns table (is_held boolean, used bigint[], held bigint[], leased boolean) language plpgsql as $$
declare
  v_used bigint; v_held bigint;
  v_all_used bigint[] := '{}'; v_all_held bigint[] := '{}';
begin
  begin
    for i in 1 .. cardinality(p_lease) loop
      continue when p_lease[i] is null;
      perform 1 from ai_quota_leases l where l.id = p_lease[i] for key share;
      if not found then raise exception using errcode = 'AI410'; end if;
    end loop;
    insert into ai_holds
    select p_request, a.tenant_id, a.host_id, a.at, now() + a.ttl_ms * interval '1 millisecond',
           a.user_id, a.key_id, a.agent_id, a.conversation_id, a.purpose,
           a.model_id, a.provider_id, a.model, a.model_version,
           a.input_tokens, a.output_tokens, a.cost_nano, a.input_cost_nano, 0
      from jsonb_to_record(p_about) as a (
        tenant_id int, host_id text, at timestamptz, ttl_ms bigint, user_id int, key_id text, agent_id text,
        conversation_id text, purpose text, model_id text, provider_id text, model text, model_version int,
        input_tokens bigint, output_tokens bigint, cost_nano bigint, input_cost_nano bigint)
        on conflict do nothing;
    if not found then raise exception using errcode = 'AI409'; end if;
    for i in 1 .. cardinality(p_quota) loop
      v_used := null; v_held := null;
      if p_lease[i] is null then
        for turn in 1 .. 2 loop
          update ai_quota_buckets b set held = b.held + p_amount[i]
           where b.quota_id = p_quota[i] and b.bucket = p_bucket[i] and b.window_start = p_window[i]
             and b.used + b.held + p_amount[i] <= p_limit[i]
          returning b.used, b.held into v_used, v_held;
          exit when found;
          if turn = 2 then raise exception using errcode = 'AI429'; end if;
          insert into ai_quota_buckets (tenant_id, quota_id, bucket, window_start)
          values (p_owner[i], p_quota[i], p_bucket[i], p_window[i]) on conflict do nothing;
        end loop;
      end if;
      insert into ai_quota_holds
      values (p_request, p_owner[i], p_quota[i], p_bucket[i], p_window[i], p_amount[i], p_lease[i]);
      v_all_used := v_all_used || v_used; v_all_held := v_all_held || v_held;
    end loop;
    return query select true, v_all_used, v_all_held, false;
  exception when sqlstate 'AI429' then
    return query
      select false, array_agg(coalesce(b.used, 0) order by w.n), array_agg(coalesce(b.held, 0) order by w.n),
             bool_or(exists (select from ai_quota_leases l
                              where l.quota_id = w.quota and l.bucket = w.bucket and l.window_start = w.start))
        from unnest(p_quota, p_bucket, p_window) with ordinality as w (quota, bucket, start, n)
        left join ai_quota_buckets b
          on b.quota_id = w.quota and b.bucket = w.bucket and b.window_start = w.start;
  end;
end $$`

/** As before; what was used of a lease is noted in the lease alone. */
const settle = `
create or replace function ai_settle(p_settlements jsonb)
returns table (quota_id text, bucket text, window_start timestamptz, used bigint, held bigint) language plpgsql as $$
#variable_conflict use_column
declare
  s record; r record; v_fresh uuid[] := '{}';
begin
  for s in
    select (e ->> 'request')::uuid as request, (e ->> 'at')::timestamptz as at, e -> 'rows' as attempts
      from jsonb_array_elements(p_settlements) e order by 1
  loop
    perform pg_advisory_xact_lock(hashtextextended('ai_ledger.request:' || s.request, 0));
    continue when exists (select from ai_usage u where u.request_id = s.request and u.at = s.at);
    insert into ai_usage select * from jsonb_populate_recordset(null::ai_usage, s.attempts);
    v_fresh := v_fresh || s.request;
  end loop;
  -- A lease that is closed meanwhile leaves its holds to the bucket.
  perform 1 from ai_quota_leases l
    where l.id in (select h.lease_id from ai_quota_holds h where h.request_id = any (v_fresh))
    order by l.id for no key update;
  perform 1 from ai_quota_holds h where h.request_id = any (v_fresh)
    order by h.request_id, h.quota_id, h.bucket for update;
  for r in
    select h.lease_id, sum(coalesce(x.used, 0))::bigint as used,
           sum(least(coalesce(x.used, 0), h.amount))::bigint as spent
      from ai_quota_holds h
      left join (
        select (e ->> 'request')::uuid as request, c.quota, c.bucket, c.used
          from jsonb_array_elements(p_settlements) e,
               jsonb_to_recordset(e -> 'used') as c (quota text, bucket text, used bigint)) x
        on x.request = h.request_id and x.quota = h.quota_id and x.bucket = h.bucket
     where h.request_id = any (v_fresh) and h.lease_id is not null
     group by 1 order by 1
  loop
    update ai_quota_leases l set used = l.used + r.used, spent = l.spent + r.spent where l.id = r.lease_id;
  end loop;
  for r in
    select h.quota_id, h.bucket, h.window_start,
           sum(coalesce(x.used, 0))::bigint as used, sum(h.amount)::bigint as let_go
      from ai_quota_holds h
      left join (
        select (e ->> 'request')::uuid as request, c.quota, c.bucket, c.used
          from jsonb_array_elements(p_settlements) e,
               jsonb_to_recordset(e -> 'used') as c (quota text, bucket text, used bigint)) x
        on x.request = h.request_id and x.quota = h.quota_id and x.bucket = h.bucket
     where h.request_id = any (v_fresh) and h.lease_id is null
     group by 1, 2, 3 order by 1, 2, 3
  loop
    return query
      update ai_quota_buckets b set used = b.used + r.used, held = b.held - r.let_go
       where b.quota_id = r.quota_id and b.bucket = r.bucket and b.window_start = r.window_start
      returning b.quota_id, b.bucket, b.window_start, b.used, b.held;
  end loop;
  delete from ai_quota_holds h where h.request_id = any (v_fresh);
  delete from ai_holds h where h.request_id = any (v_fresh);
end $$`

/** A lease of what is wanted, at most a twentieth of what remains; no row where that is less than it takes to be worth it. */
const take = `
create function ai_lease_take(
  p_id uuid, p_host text, p_quota text, p_bucket text, p_window timestamptz, p_limit bigint, p_wanted bigint, p_least bigint)
returns table (free bigint, used bigint, held bigint) language plpgsql as $$
declare b ai_quota_buckets; v_amount bigint;
begin
  select * into b from ai_quota_buckets n
    where n.quota_id = p_quota and n.bucket = p_bucket and n.window_start = p_window for update;
  if not found then return; end if;
  v_amount := least(p_wanted, (p_limit - b.used - b.held) / 20);
  if v_amount < p_least then return; end if;
  update ai_quota_buckets n set held = n.held + v_amount
    where n.quota_id = p_quota and n.bucket = p_bucket and n.window_start = p_window;
  insert into ai_quota_leases (id, tenant_id, host_id, quota_id, bucket, window_start, amount, expires_at)
  values (p_id, b.tenant_id, p_host, p_quota, p_bucket, p_window, v_amount, now() + interval '1 minute');
  return query select v_amount, b.used, b.held + v_amount;
end $$`

/** What was used goes into the bucket, and the lease is filled up again; no row where the lease is gone. */
const renew = `
create function ai_lease_renew(p_id uuid, p_limit bigint, p_wanted bigint)
returns table (free bigint, used bigint, held bigint) language plpgsql as $$
declare l ai_quota_leases; b ai_quota_buckets; v_open bigint; v_more bigint;
begin
  select * into l from ai_quota_leases n where n.id = p_id for update;
  if not found then return; end if;
  select coalesce(sum(h.amount), 0) into v_open from ai_quota_holds h where h.lease_id = p_id;
  select * into b from ai_quota_buckets n
    where n.quota_id = l.quota_id and n.bucket = l.bucket and n.window_start = l.window_start for update;
  if not found then return; end if;
  v_more := greatest(0, least(p_wanted - (l.amount - l.spent - v_open), (p_limit - b.used - l.used - b.held + l.spent) / 20));
  if l.used > 0 or l.spent > 0 or v_more > 0 then
    update ai_quota_buckets n set used = n.used + l.used, held = n.held - l.spent + v_more
      where n.quota_id = l.quota_id and n.bucket = l.bucket and n.window_start = l.window_start;
  end if;
  update ai_quota_leases n
     set amount = l.amount - l.spent + v_more, used = 0, spent = 0, expires_at = now() + interval '1 minute'
   where n.id = p_id;
  return query select l.amount - l.spent + v_more - v_open, b.used + l.used, b.held - l.spent + v_more;
end $$`

/** Ends leases: what is free goes back, what was used is counted, and what calls under way hold stays held of the bucket itself. */
const close = `
create function ai_leases_close(p_ids uuid[])
returns table (quota_id text, bucket text, window_start timestamptz, used bigint, held bigint) language plpgsql as $$
#variable_conflict use_column
declare r record; v_ids uuid[];
begin
  select array_agg(l.id) into v_ids
    from (select id from ai_quota_leases where id = any (p_ids) order by id for update) as l;
  if v_ids is null then return; end if;
  for r in
    with closed as (
      select l.id, l.quota_id, l.bucket, l.window_start, l.used,
             l.amount - coalesce((select sum(h.amount) from ai_quota_holds h where h.lease_id = l.id), 0) as let_go
        from ai_quota_leases l where l.id = any (v_ids))
    select quota_id, bucket, window_start, sum(used)::bigint as used, sum(let_go)::bigint as let_go
      from closed group by 1, 2, 3 order by 1, 2, 3
  loop
    return query
      update ai_quota_buckets b set used = b.used + r.used, held = b.held - r.let_go
       where b.quota_id = r.quota_id and b.bucket = r.bucket and b.window_start = r.window_start
      returning b.quota_id, b.bucket, b.window_start, b.used, b.held;
  end loop;
  update ai_quota_holds h set lease_id = null where h.lease_id = any (v_ids);
  delete from ai_quota_leases l where l.id = any (v_ids);
end $$`
