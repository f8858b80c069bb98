import type { Knex } from 'knex'

/** What a call that its host left behind would cost without what its tenant has off or pays on top is written down with its hold. */
export async function up(db: Knex): Promise<void> {
  await db.raw(`
    -- Null of calls that a host without them let in.
    alter table ai_holds add column list_cost_nano bigint, add column input_list_cost_nano bigint`)
  await db.raw(reserve)
}

/** As before, with these. */
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
      tool_calls, tags, list_cost_nano, input_list_cost_nano)
    select p_request, a.tenant_id, a.host_id, a.at, now() + a.ttl_ms * interval '1 millisecond',
           a.user_id, a.key_id, a.agent_id, a.conversation_id, a.purpose,
           a.model_id, a.provider_id, a.model, a.model_version,
           a.input_tokens, a.output_tokens, a.cost_nano, a.input_cost_nano, 0,
           coalesce(a.tool_calls, 0), coalesce(a.tags, '{}'), a.list_cost_nano, a.input_list_cost_nano
      from jsonb_to_record(p_about) as a (
        tenant_id int, host_id text, at timestamptz, ttl_ms bigint, user_id int, key_id text, agent_id text,
        conversation_id text, purpose text, model_id text, provider_id text, model text, model_version int,
        input_tokens bigint, output_tokens bigint, cost_nano bigint, input_cost_nano bigint,
        tool_calls int, tags text[], list_cost_nano bigint, input_list_cost_nano bigint)
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
