import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'plugin.title': '实时推送',
  'plugin.description': '将事件实时推送给浏览器和其他客户端',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  token_in_address: '访问令牌不得出现在地址中：请获取票据，或在首帧中发送令牌',
  frame_invalid: '该帧无效：{fault}',
  no_last_id: '没有可以继续的事件',
  other_caller: '连接只能由同一用户续期',
}
