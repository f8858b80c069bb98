import { defineError } from '#kernel'

export const WebhookNotFoundError = defineError(4040, 'webhook_not_found', 'There is no such web hook')
export const DeliveryNotFoundError = defineError(4040, 'webhook_delivery_not_found', 'There is no such delivery')
export const WebhookInvalidError = defineError(4220, 'webhook_invalid', 'The web hook cannot be kept so')
export const WebhookPausedError = defineError(4094, 'webhook_paused', 'The web hook is paused: resume it first')
export const MostWebhooksError = defineError(4002, 'webhooks_most', 'There are {most} web hooks already')
