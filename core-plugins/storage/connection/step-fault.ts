import { AppError } from '#kernel'

/** Why a step of a test did not succeed. */
export interface StepFault {
  readonly reason: string
  readonly message: string
}

const chinese: Readonly<Record<string, string>> = {
  url_invalid: '地址无效',
  address_forbidden: '主机不在公网上',
  name_not_resolved: '主机名无法解析',
  connection_failed: '连接失败',
  timeout: '连接超时',
  aborted: '连接超时',
  response_invalid: '响应无效',
  redirected: '服务返回了重定向',
  wrong_length: '内容长度不一致',
  wrong_content: '读回的内容不一致',
  storage_error: '存储出错',
}

/** What a failed step says: never an address, a name or a credential that its answer had. */
export function faultOf(error: unknown, locale: string): StepFault {
  const known = error instanceof AppError ? error : undefined
  const given = known?.details?.['reason'] ?? known?.reason
  const reason = typeof given === 'string' ? given : 'failed'
  const message = locale === 'zh-CN' ? (chinese[reason] ?? `存储服务出错：${reason}`) : (known?.message ?? 'It failed')
  return { reason, message }
}
