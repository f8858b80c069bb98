import { defineError } from '#kernel'

export const EventQueueFullError = defineError(
  4299,
  'plugin_event_queue_full',
  'The queue of {plugin} has no room for more events',
)
export const EventNotFoundError = defineError(4040, 'plugin_event_not_found', 'There is no such event set aside')
