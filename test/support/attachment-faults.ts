import pg from 'pg'

/** Bytes that no sweep would find, and records without bytes: each query must find nothing. */
const faults = {
  'a record without its blob': `select a.id from attachments a
    left join attachment_blobs b on b.id = a.blob_id and b.state = 'ready' where b.id is null`,
  'a blob without its object': `select b.id from attachment_blobs b
    left join storage_objects o on o.namespace = 'attachments' and o.key = b.id::text
    where b.state = 'ready' and o.id is null`,
  'an object that no blob knows': `select o.key from storage_objects o
    left join attachment_blobs b on o.key = b.id::text where o.namespace = 'attachments' and b.id is null`,
  'a blob that is counted wrong': `select b.id from attachment_blobs b where b.state = 'ready'
    and b.refcount <> (select count(*) from attachments a where a.blob_id = b.id)`,
  'a chunk that stays for ever': `select o.key from storage_objects o
    where o.namespace like 'attachments/uploads/%' and o.expires_at is null`,
} as const

/** Where bytes may lie that will be found: those of objects, of uploads under way, and of what the queue is to delete. */
const places = `select location from storage_objects
  union select location from attachment_uploads where location is not null
  union select place ->> 'location' from jobs, jsonb_array_elements(payload -> 'places') as place
    where kind = 'storage.discard'`

/** What is wrong with attachments in a database, each with how many there are. */
export async function attachmentFaults(databaseUrl: string): Promise<readonly string[]> {
  const counts = await Promise.all(
    Object.entries(faults).map(async ([fault, query]) => ({ fault, count: (await ask(databaseUrl, query)).length })),
  )
  return counts.filter(({ count }) => count > 0).map(({ fault, count }) => `${fault}: ${count}`)
}

/** The locations of all bytes that a database knows. */
export async function knownLocations(databaseUrl: string): Promise<ReadonlySet<string>> {
  const rows = (await ask(databaseUrl, places)) as readonly { readonly location: string }[]
  return new Set(rows.map(({ location }) => location))
}

async function ask(databaseUrl: string, query: string): Promise<readonly unknown[]> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    await client.query(`select set_config('stoa.tenant_id', 'all', false)`)
    return (await client.query(query)).rows as readonly unknown[]
  } finally {
    await client.end()
  }
}
