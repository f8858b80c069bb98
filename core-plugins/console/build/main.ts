import { bringUpToDate } from './bring-up-to-date.ts'
import { consoleFolders } from './folders.ts'

const what = await bringUpToDate(consoleFolders)
if (what === 'built') console.log('The console is built.')
