import { PluginError, type Handler } from '@stoa/plugin-sdk'

/** A row, as the migrations make it. */
type Note = { readonly id: number; readonly text: string; readonly created_at: string }

/** The latest notes of the calling tenant; the platform sees to it that there are no others. */
export const listNotes: Handler = async (_, { config }, db) => {
  const limit = Number(await config.get('page_size'))
  return { items: await db.table<Note>('notes').orderBy('id', 'desc').limit(limit) }
}

/** Adds a note. */
export const addNote: Handler<{ readonly text?: unknown } | null> = async ({ body }, _, db) => {
  const text = body?.text
  if (typeof text !== 'string' || text.length < 1 || text.length > 1_000)
    throw new PluginError('invalid', 'text is 1 to 1000 characters')
  return { status: 201, body: await db.table<Note>('notes').insert({ text }) }
}
