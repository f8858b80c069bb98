import { definePlugin } from '@stoa/plugin-sdk'
import { addNote, listNotes } from './notes.ts'

export default definePlugin({
  handlers: {
    listNotes,
    addNote,
    sayHello: (_, ctx) => ({ hello: ctx.t('hello') }),
  },
})
