import type { Knex } from 'knex'

/** Calls are let in without waiting for the disk of the database, and their leases are locked in the order in which they are ended. */
export async function up(db: Knex): Promise<void> {
  await db.raw(reserve)
  await db.raw(settle)
}

/**
 * As before, with two differences. A call of several leases locks them by their ids, as whoever ends leases does: in the order of its quotas
 * the two would wait for each other. And the answer does not wait for the disk, which is most of what a hold costs: a host that dies loses
 * nothing by that; a server that dies may lose the holds of its last moments (at most three times `wal_writer_delay`, PostgreSQL manual, "Asynchronous
 * Commit"), of which `ai_settle` counts what they used.
 */
const reserve = `
create or replace function ai_reserve(
  p_request uuid, p_about jsonb, p_quota text[], p_bucket text[], p_window timestamptz[],
  p_amount bigint[], p_limit bigint[], p_owner int[], p_lease uuid[])
returns table (is_held boolean, used bigint[], held bigint[], leased boolean) language plpgsql as $$
declare
  v_used bigint; v_held bigint; v_locked bigint;
  v_all_used bigint[] := '{}'; v_all_held bigint[] := '{}';
begin
  perform set_config('synchronous_commit', 'off', true);
  begin
    perform 1 from ai_quota_leases l where l.id = any (p_lease) order by l.id for key share;
    get diagnostics v_locked = row_count;
    if v_locked <> (select count(distinct n) from unnest(p_lease) as n) then
      raise exception using errcode = 'AI410';
    end if;
    insert into ai_holds (
      request_id, tenant_id, host_id, at, expires_at, user_id, key_id, agent_id, conversation_id, purpose,
      model_id, provider_id, model, model_version, input_tokens, output_tokens, cost_nano, input_cost_nano, progress,
      tool_calls, tags)
    select p_request, a.tenant_id, a.host_id, a.at, now() + a.ttl_ms * interval '1 millisecond',
           a.user_id, a.key_id, a.agent_id, a.conversation_id, a.purpose,
           a.model_id, a.provider_id, a.model, a.model_version,
           a.input_tokens, a.output_tokens, a.cost_nano, a.input_cost_nano, 0,
           coalesce(a.tool_calls, 0), coalesce(a.tags, '{}')
      from jsonb_to_record(p_about) as a (
        tenant_id int, host_id text, at timestamptz, ttl_ms bigint, user_id int, key_id text, agent_id text,
        conversation_id text, purpose text, model_id text, provider_id text, model text, model_version int,
        input_tokens bigint, output_tokens bigint, cost_nano bigint, input_cost_nano bigint,
        tool_calls int, tags text[])
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

/** As before; what a call used whose holds the database lost is counted all the same, where the quota is still there. */
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
  for r in
    select x.quota, x.bucket, x.starts, x.owner, sum(x.used)::bigint as used
      from jsonb_array_elements(p_settlements) e,
           jsonb_to_recordset(e -> 'used') as x (quota text, bucket text, starts timestamptz, owner int, used bigint)
     where (e ->> 'request')::uuid = any (v_fresh) and x.starts is not null and x.used > 0
       and not exists (select from ai_quota_holds h
                        where h.request_id = (e ->> 'request')::uuid and h.quota_id = x.quota and h.bucket = x.bucket)
       and exists (select from ai_quotas q where q.id = x.quota)
     group by 1, 2, 3, 4 order by 1, 2, 3
  loop
    return query
      insert into ai_quota_buckets as b (tenant_id, quota_id, bucket, window_start, used)
      values (r.owner, r.quota, r.bucket, r.starts, r.used)
      on conflict (quota_id, bucket, window_start) do update set used = b.used + excluded.used
      returning b.quota_id, b.bucket, b.window_start, b.used, b.held;
  end loop;
  delete from ai_quota_holds h where h.request_id = any (v_fresh);
  delete from ai_holds h where h.request_id = any (v_fresh);
end $$`
