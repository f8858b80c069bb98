import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { packPackages } from './pack-packages.ts'

const { values } = parseArgs({ options: { out: { type: 'string', default: '.packages' } } })
const checkout = resolve(import.meta.dirname, '../..')
for (const file of await packPackages(checkout, resolve(values.out))) console.log(file)
