import path from 'node:path'
import type { DriverConfig, StorageDriver } from '../../contract.ts'
import { memberTexts } from '../member-texts.ts'
import { localSchema } from './local-schema.ts'
import { createLocalVolume } from './local-volume.ts'
import { texts } from '../../texts/texts.ts'

const { base_url } = localSchema.properties

/** Keeps objects as files below a folder, which several hosts share by sharing the folder. */
export function createLocalDriver(dataDir: string): StorageDriver {
  return {
    name: 'local',
    label: texts.of('local.label'),
    description: texts.of('local.description'),
    capabilities: { presign: false, range: true, multipart: false, imageProcess: false },
    schema: localSchema,
    // Where on the disk is not for tenants to say.
    tenantSchema: { ...localSchema, properties: { base_url } },
    texts: memberTexts('local', localSchema.properties),
    example: { root: 'var/storage', base_url: '' },
    placeOf: (config) => rootOf(dataDir, config),
    open: (config) => createLocalVolume(rootOf(dataDir, config)),
  }
}

/** `var/` is the data folder itself, as everywhere. */
function rootOf(dataDir: string, { root = localSchema.properties.root.default }: DriverConfig): string {
  return path.resolve(dataDir, String(root).replace(/^var\//, ''))
}
