import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { AppError } from '#kernel'
import { manifestJsonSchema, parseManifest } from '#sandbox'
import { sdkTypes } from './checkout.ts'
import { declareNames } from './declare-names.ts'
import { readNames } from './read-names.ts'
import { namesFile, testTypes, typeOptions } from './type-options.ts'

/**
 * Writes what a plugin's editor reads: `.stoa/tsconfig.json` for its sources, which know nothing of Node and of the web what there is, `.stoa/tests.json` for its
 * tests, `.stoa/names.d.ts` with the names of its tables, settings, texts, events and permissions, and the schema of its manifest.
 * They hold for one machine, and every command that needs them writes them anew.
 */
export async function writeTypes(directory: string): Promise<void> {
  const paths = { '@stoa/plugin-sdk': [sdkTypes.main], '@stoa/plugin-sdk/testing': [sdkTypes.testing] }
  const sources = { compilerOptions: { ...typeOptions, types: [sdkTypes.web], paths } }
  const tests = { extends: './tsconfig.json', compilerOptions: testTypes }
  await mkdir(join(directory, '.stoa'), { recursive: true })
  await writeJson(join(directory, '.stoa/tsconfig.json'), sources)
  await writeJson(join(directory, '.stoa/tests.json'), tests)
  await writeJson(join(directory, '.stoa/manifest.schema.json'), manifestJsonSchema)
  await writeNames(directory)
}

/** Declares the names anew; a manifest or a migration that is not valid yet, and a folder that nobody may write to, leave them as they were. */
export async function writeNames(directory: string): Promise<void> {
  try {
    const manifest = parseManifest(await readFile(join(directory, 'manifest.json')))
    const text = declareNames(await readNames(directory, manifest))
    await mkdir(join(directory, '.stoa'), { recursive: true })
    await writeFile(join(directory, namesFile), text)
  } catch (error) {
    const isUnwritten = ['ENOENT', 'EACCES', 'EROFS'].includes((error as NodeJS.ErrnoException).code ?? '')
    if (!isUnwritten && !(error instanceof AppError)) throw error
  }
}

async function writeJson(file: string, value: object): Promise<void> {
  await writeFile(file, `${JSON.stringify(value, null, 2)}\n`)
}
