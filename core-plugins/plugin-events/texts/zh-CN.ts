import type { Translation } from '#kernel'
import type { english } from './en.ts'

/** What this plugin says, in Chinese. */
export const texts: Translation<typeof english> = {
  'plugin.title': '插件事件',
  'plugin.description': '插件之间以及平台发给插件的事件的持久队列',
  'notice.event_refused': '租户不再允许该插件接收事件',
  'notice.event_unlicensed': '插件长时间未获许可',
}

/** What its errors say in Chinese, by reason. */
export const errors = {
  plugin_event_queue_full: '{plugin} 的事件队列已满',
  plugin_event_not_found: '没有这个被搁置的事件',
}
