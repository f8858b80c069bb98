/** What each wish of a guest's for other tables and columns comes to. */
export const statements: readonly (readonly [code: string, outcome: string])[] = [
  ...['users', 'tenants', 'plugins', 'public.users', 'pg_catalog.pg_roles', 'secrets', 'plg_00000000_secrets'].map(
    (name) => [`db.table(${JSON.stringify(name)})`, 'bad_request statement_invalid'] as const,
  ),
  ...['__proto__', 'constructor', 'toString', 'loot"; drop table users; --', 'loot l', 'LOOT', '', 'loot\\u0000'].map(
    (name) => [`db.table("${name.replaceAll('"', '\\"')}")`, 'bad_request statement_invalid'] as const,
  ),
  ...['{}', '[]', 'null', '1', '["loot"]', '{ toString: () => "users" }'].map(
    (name) => [`db.table(${name})`, 'bad_request statement_invalid'] as const,
  ),
  ...['__proto__', 'constructor', 'label = label or 1', '"label"', 'ctid', 'xmin', 'tableoid', '*'].flatMap(
    (name) =>
      [
        [`db.table("loot").where(${JSON.stringify(name)}, 1)`, 'bad_request statement_invalid'],
        [`db.table("loot").orderBy(${JSON.stringify(name)})`, 'bad_request statement_invalid'],
        [`db.table("loot").insert({ [${JSON.stringify(name)}]: 1 })`, 'bad_request statement_invalid'],
        [`db.table("loot").update({ [${JSON.stringify(name)}]: 1 })`, 'bad_request statement_invalid'],
      ] as const,
  ),
  ['db.table("loot").where("label", "= \'\' or", "a")', 'bad_request statement_invalid'],
  ['db.table("loot").where("label", "in", "(select 1)")', 'bad_request statement_invalid'],
  ['db.table("loot").where("label", "__proto__", 1)', 'bad_request statement_invalid'],
  ['db.table("loot").orderBy("id", "asc; drop table loot")', 'bad_request statement_invalid'],
  ['db.table("loot").limit("1; drop table loot")', 'bad_request statement_invalid'],
  ['db.table("loot").join("users", "loot.id", "users.id")', 'bad_request statement_invalid'],
  ['db.table("loot").join("loot", "loot.tenant_id", "loot.id")', 'bad_request statement_invalid'],
  ['db.table("loot").sum("label from users --")', 'bad_request statement_invalid'],
  ['db.table("loot").count("x\\" from users --")', 'bad_request statement_invalid'],
  ['db.table("loot").upsert({ id: 1, label: "a" }, "id) do nothing; --")', 'bad_request statement_invalid'],
  ['db.table("loot").insert({ label: { toString: "x" } })', 'invalid value_invalid'],
  ['db.table("loot").insert({ label: "a\\u0000b" })', 'invalid value_invalid'],
  ['db.table("loot").insert({ data: { a: "\\u0000" } })', 'invalid value_invalid'],
  ['db.table("loot").where("id", { raw: "1 or 1=1" })', 'invalid value_invalid'],
]
