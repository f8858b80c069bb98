// @both-back-ends
import assert from 'node:assert/strict'
import type { Knex } from 'knex'
import type { RelationMappings } from 'objection'
import { openDatabase, tenantContext, type Database } from '../../../kernel/data/database.ts'
import { PlatformModel } from '../../../kernel/data/platform-model.ts'
import { TenantModel } from '../../../kernel/data/tenant-model.ts'
import { createTestDatabase, type TestDatabase } from '../../support/cluster.ts'
import { recordingLog } from '../../support/recording-log.ts'

class Author extends TenantModel {
  static override tableName = 'authors'
  static override get relationMappings(): RelationMappings {
    return {
      books: {
        relation: TenantModel.HasManyRelation,
        modelClass: Book,
        join: { from: 'authors.id', to: 'books.author_id' },
      },
    }
  }
  declare id: number
  declare countryId: number | null
  declare fullName: string
  declare books?: Book[]
}

class Book extends TenantModel {
  static override tableName = 'books'
  declare id: number
  declare authorId: number
  declare title: string
}

class Country extends PlatformModel {
  static override tableName = 'countries'
  static override get relationMappings(): RelationMappings {
    return {
      authors: {
        relation: PlatformModel.HasManyRelation,
        modelClass: Author,
        join: { from: 'countries.id', to: 'authors.country_id' },
      },
    }
  }
  declare id: number
  declare isoCode: string
}

// Without policies: what is tested here is that the model alone keeps tenants apart.
const template = {
  name: 'tenant-model-test',
  async prepare(db: Knex) {
    await db.schema.createTable('countries', (table) => {
      table.increments('id')
      table.text('iso_code').notNullable().unique()
    })
    await db.schema.createTable('authors', (table) => {
      table.increments('id')
      table.integer('tenant_id').notNullable()
      table.integer('country_id')
      table.text('full_name').notNullable().unique()
    })
    await db.schema.createTable('books', (table) => {
      table.increments('id')
      table.integer('tenant_id').notNullable()
      table.integer('author_id').notNullable()
      table.text('title').notNullable()
    })
    await db('countries').insert({ iso_code: 'NL' })
    await db('authors').insert([
      { tenant_id: 1, full_name: 'Ada', country_id: 1 },
      { tenant_id: 2, full_name: 'Bob', country_id: 1 },
    ])
    await db('books').insert([
      { tenant_id: 1, author_id: 1, title: 'One' },
      { tenant_id: 2, author_id: 1, title: 'Strange' },
      { tenant_id: 2, author_id: 2, title: 'Two' },
    ])
  },
}

describe('TenantModel', () => {
  let test: TestDatabase
  let database: Database
  let db: Knex

  beforeEach(async () => {
    test = await createTestDatabase(template)
    database = await openDatabase({ url: test.url, poolSize: 1, log: recordingLog().log })
    db = database.knex
  })
  afterEach(async () => {
    await database[Symbol.asyncDispose]()
    await test[Symbol.asyncDispose]()
  })

  const rows = (): Promise<string[]> =>
    db('authors')
      .orderBy('id')
      .select(db.raw(`tenant_id || ' ' || full_name as line`))
      .then((found: { line: string }[]) => found.map((row) => row.line))

  it("reads, counts and pages one tenant's rows", async () => {
    assert.deepEqual(
      {
        all: (await Author.of(1, db)).map((author) => author.toJSON()),
        first: (await Author.of(2, db).first())?.fullName,
        byId: await Author.of(2, db).findById(1),
        size: await Book.of(2, db).resultSize(),
        page: await Book.of(2, db).select('title').orderBy('id').page(1, 1),
        either: (await Author.of(1, db).where('full_name', 'Ada').orWhere('full_name', 'Bob')).length,
        group: (await Author.of(1, db).where((q) => void q.where('id', 1).orWhere('id', 2))).length,
        inside: (await Author.of(1, db).whereIn('id', Book.of(2, db).select('author_id'))).length,
        alias: (await Author.of(2, db).alias('a').where('a.id', '>', 0)).length,
      },
      {
        all: [{ id: 1, tenantId: 1, countryId: 1, fullName: 'Ada' }],
        first: 'Bob',
        byId: undefined,
        size: 2,
        page: { results: [Book.fromJson({ title: 'Two' })], total: 2 },
        either: 1,
        group: 1,
        inside: 1,
        alias: 1,
      },
    )
  })

  it('stamps what is inserted and refuses a row of another tenant', async () => {
    const cleo = await Author.of(2, db).insert({ fullName: 'Cleo' })
    assert.deepEqual([cleo.tenantId, await rows()], [2, ['1 Ada', '2 Bob', '2 Cleo']])
    await assert.rejects(async () => Author.of(2, db).insert({ fullName: 'Dan', tenantId: 1 }), /row of tenant 1/)
  })

  it("updates and deletes one tenant's rows only", async () => {
    assert.deepEqual(
      [
        await Author.of(1, db).patch({ fullName: 'X' }).where('id', 2),
        await Author.of(1, db).patch({ fullName: 'Y' }).where('id', 2).orWhere('id', 2),
        await Author.of(1, db).deleteById(2),
        await Author.of(1, db).patchAndFetchById(2, { fullName: 'Z' }),
        (await Author.of(2, db).patchAndFetchById(2, { fullName: 'Bea' })).fullName,
        await Author.of(1, db).delete().where('id', 1).orWhere('id', 2),
        await rows(),
      ],
      [0, 0, 0, undefined, 'Bea', 1, ['2 Bea']],
    )
    await assert.rejects(async () => Author.of(2, db).patch({ tenantId: 1 }), /row of tenant 1/)
  })

  it("leaves another tenant's row alone in an upsert", async () => {
    await Author.of(1, db).insert({ fullName: 'Bob', countryId: 9 }).onConflict('full_name').merge()
    await Author.of(1, db).insert({ fullName: 'Ada', countryId: 7 }).onConflict('full_name').merge()
    assert.deepEqual(await db('authors').orderBy('full_name').select('tenant_id', 'country_id'), [
      { tenant_id: 1, country_id: 7 },
      { tenant_id: 2, country_id: 1 },
    ])
  })

  it('carries the tenant into relations and graphs', async () => {
    const titles = (authors: Author[]): unknown => authors.map((author) => author.books?.map((book) => book.title))
    assert.deepEqual(titles(await Author.of(1, db).withGraphFetched('books')), [['One']])
    await Author.of(1, db).upsertGraph({ id: 1, books: [{ title: 'New' }] } as Partial<Author>)
    assert.deepEqual(await db('books').orderBy('id').select('tenant_id', 'title'), [
      { tenant_id: 2, title: 'Strange' },
      { tenant_id: 2, title: 'Two' },
      { tenant_id: 1, title: 'New' },
    ])
  })

  it('lets the platform act for all, and then an insert names its tenant', async () => {
    await Author.acrossTenants(db).insert({ fullName: 'Eve', tenantId: 3 })
    assert.deepEqual(
      (await Author.acrossTenants(db).orderBy('id')).map((author) => author.tenantId),
      [1, 2, 3],
    )
    await assert.rejects(async () => Author.acrossTenants(db).insert({ fullName: 'Fay' }), /not-null/)
  })

  it('throws at a query without a tenant, whichever way it was made', async () => {
    const ada = await Author.of(1, db).findById(1).throwIfNotFound()
    const attempts: (() => PromiseLike<unknown>)[] = [
      () => Author.query(db),
      () => Author.query(db).insert({ fullName: 'X' }),
      () => Author.query(db).patch({ fullName: 'X' }),
      () => Author.query(db).delete(),
      () => Author.query(db).resultSize(),
      () => Author.of(1, db).clearContext(),
      () => ada.$query(db),
      () => ada.$query(db).patch({ fullName: 'X' }),
      () => ada.$relatedQuery('books', db),
      () => ada.$fetchGraph('books', { transaction: db }),
      () => Author.relatedQuery('books', db).for(1),
      () => Country.with(db).withGraphFetched('authors'),
    ]
    for (const attempt of attempts) await assert.rejects(async () => attempt(), /has no tenant/, String(attempt))
    assert.deepEqual(await rows(), ['1 Ada', '2 Bob'])
  })

  it('tells the connection the tenant, in a transaction too', async () => {
    const read = `current_setting('stoa.tenant_id', true) as setting`
    const settings = await db.transaction(async (trx) => [
      await Author.of(1, trx).select(trx.raw(read)).first(),
      await Author.of(2, trx).select(trx.raw(read)).first(),
      await Author.acrossTenants(trx).select(trx.raw(read)).first(),
      (await trx('authors').select(trx.raw(read)).first()) as unknown,
    ])
    assert.deepEqual(
      settings.map((row) => (row as { setting: string }).setting),
      ['1', '2', 'all', ''],
    )
  })

  it('refuses what is no tenant id', () => {
    for (const tenant of [-1, 0.5, Number.NaN, 'all', '1'] as number[]) {
      assert.throws(() => Author.of(tenant, db), { name: 'ProgrammingError' })
    }
    assert.throws(() => tenantContext(Number.NaN), { name: 'ProgrammingError' })
  })
})

describe('PlatformModel', () => {
  it('maps snake_case columns to camelCase', async () => {
    await using test = await createTestDatabase(template)
    await using database = await openDatabase({ url: test.url, poolSize: 1, log: recordingLog().log })
    await Country.with(database.knex).insert({ isoCode: 'DE' })
    assert.deepEqual(
      (await Country.with(database.knex).orderBy('id')).map((country) => country.toJSON()),
      [
        { id: 1, isoCode: 'NL' },
        { id: 2, isoCode: 'DE' },
      ],
    )
  })
})
