/** Texts of this plugin's errors in other languages; English stands in the errors themselves. */
export const messages = {
  'zh-CN': {
    plugin_event_queue_full: '{plugin} 的事件队列已满',
    plugin_event_not_found: '没有这个被搁置的事件',
  },
} as const
