import type { Knex } from 'knex'

/** Whoever settles locks buckets and calls in the order in which everybody else does. */
export async function up(db: Knex): Promise<void> {
  await db.raw(settle)
}

/** As before, with one order of all buckets, those of holds that the database lost among them, and one of the calls. */
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
    select t.quota, t.bucket, t.starts, t.owner, sum(t.used)::bigint as used, sum(t.let_go)::bigint as let_go,
           bool_or(t.is_lost) as is_lost
      from (
        select h.quota_id as quota, h.bucket, h.window_start as starts, h.tenant_id as owner,
               coalesce(x.used, 0) as used, h.amount as let_go, false as is_lost
          from ai_quota_holds h
          left join (
            select (e ->> 'request')::uuid as request, c.quota, c.bucket, c.used
              from jsonb_array_elements(p_settlements) e,
                   jsonb_to_recordset(e -> 'used') as c (quota text, bucket text, used bigint)) x
            on x.request = h.request_id and x.quota = h.quota_id and x.bucket = h.bucket
         where h.request_id = any (v_fresh) and h.lease_id is null
        union all
        select x.quota, x.bucket, x.starts, x.owner, x.used, 0, true
          from jsonb_array_elements(p_settlements) e,
               jsonb_to_recordset(e -> 'used') as x (quota text, bucket text, starts timestamptz, owner int, used bigint)
         where (e ->> 'request')::uuid = any (v_fresh) and x.starts is not null and x.used > 0
           and not exists (select from ai_quota_holds h
                            where h.request_id = (e ->> 'request')::uuid and h.quota_id = x.quota and h.bucket = x.bucket)
           and exists (select from ai_quotas q where q.id = x.quota)) as t
     group by 1, 2, 3, 4 order by t.quota collate "C", t.bucket collate "C", t.starts
  loop
    if r.is_lost then
      insert into ai_quota_buckets (tenant_id, quota_id, bucket, window_start)
      values (r.owner, r.quota, r.bucket, r.starts) on conflict do nothing;
    end if;
    return query
      update ai_quota_buckets b set used = b.used + r.used, held = b.held - r.let_go
       where b.quota_id = r.quota and b.bucket = r.bucket and b.window_start = r.starts
      returning b.quota_id, b.bucket, b.window_start, b.used, b.held;
  end loop;
  delete from ai_quota_holds h where h.request_id = any (v_fresh);
  perform 1 from ai_holds h where h.request_id = any (v_fresh) order by h.request_id for update;
  delete from ai_holds h where h.request_id = any (v_fresh);
end $$`
