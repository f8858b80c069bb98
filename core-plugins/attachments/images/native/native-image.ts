import type { ImageProcess } from '../../../storage/contract.ts'
import type { ImagePlan } from '../plan.ts'
import { cosOperations } from './cos.ts'
import { imgproxyOptions } from './imgproxy.ts'
import { ossOperations } from './oss.ts'
import { qiniuOperations } from './qiniu.ts'

/** What is put into a link so that the back end makes the image itself. */
type NativeImage =
  | { readonly query: Readonly<Record<string, string>> }
  /** Options of imgproxy; the link leads to it. */
  | { readonly imageProxyOptions: string }

type Mapping = (plan: ImagePlan) => NativeImage | undefined

const mappings: Readonly<Record<ImageProcess, Mapping>> = {
  none: () => undefined,
  oss: (plan) => inQuery(ossOperations(plan), (operations) => ({ 'x-oss-process': operations })),
  cos: (plan) => inQuery(cosOperations(plan), (operations) => ({ [operations]: '' })),
  qiniu: (plan) => inQuery(qiniuOperations(plan), (operations) => ({ [operations]: '' })),
  imgproxy: (plan) => ({ imageProxyOptions: imgproxyOptions(plan) }),
}

/** How a kind of back end is asked for an image; undefined for what it cannot make, which is then made here. */
export function nativeImage(kind: ImageProcess, plan: ImagePlan): NativeImage | undefined {
  return mappings[kind](plan)
}

function inQuery(
  operations: string | undefined,
  query: (operations: string) => Readonly<Record<string, string>>,
): NativeImage | undefined {
  return operations === undefined ? undefined : { query: query(operations) }
}
