import path from 'node:path'
import type { DriverConfig, StorageDriver } from '../../contract.ts'
import { localSchema } from './local-schema.ts'
import { createLocalVolume } from './local-volume.ts'

const { base_url } = localSchema.properties

/** Keeps objects as files below a folder, which several hosts share by sharing the folder. */
export function createLocalDriver(dataDir: string): StorageDriver {
  return {
    name: 'local',
    label: { default: 'Local disk', 'zh-CN': '本地磁盘' },
    description: { default: 'Files in a folder of the host', 'zh-CN': '保存在主机的文件夹中' },
    capabilities: { presign: false, range: true, multipart: false, imageProcess: false },
    schema: localSchema,
    // Where on the disk is not for tenants to say.
    tenantSchema: { ...localSchema, properties: { base_url } },
    texts: {
      'zh-CN': {
        root: { title: '目录', description: '相对于数据目录，或所有主机可见的绝对路径' },
        base_url: { title: '访问地址', description: '由 Web 服务器公开该目录时的地址，可留空' },
      },
    },
    example: { root: 'var/storage', base_url: '' },
    placeOf: (config) => rootOf(dataDir, config),
    open: (config) => createLocalVolume(rootOf(dataDir, config)),
  }
}

/** `var/` is the data folder itself, as everywhere. */
function rootOf(dataDir: string, { root = localSchema.properties.root.default }: DriverConfig): string {
  return path.resolve(dataDir, String(root).replace(/^var\//, ''))
}
