import { onScopeDispose, reactive } from 'vue'
import type { PackageForm } from './use-operation.ts'

/** How far a package has gone to the server. */
export interface PackageSending {
  /** Undefined while none is sent. */
  form: (PackageForm & { readonly name: string; readonly size: number; readonly stop: () => void }) | undefined
  done: number
}

/** Sends packages one at a time, and says how far the one that goes is; it is given up with the page. */
export function usePackageSending() {
  const sending = reactive<PackageSending>({ form: undefined, done: 0 })
  onScopeDispose(() => sending.form?.stop())

  /** What `work` comes to with the form of a file. */
  async function sendPackage<T>(file: File, work: (form: PackageForm) => Promise<T>): Promise<T> {
    const controller = new AbortController()
    const body = new FormData()
    body.append('file', file)
    const onSent = (bytes: number) => (sending.done = Math.min(bytes, file.size))
    const form = { body, onSent, signal: controller.signal, name: file.name, size: file.size }
    sending.form = { ...form, stop: () => controller.abort() }
    try {
      return await work(form)
    } finally {
      sending.form = undefined
    }
  }
  return { sending, sendPackage }
}
