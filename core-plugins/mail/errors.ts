import { defineError } from '#kernel'

export const RecipientInvalidError = defineError(4220, 'recipient_invalid', 'The recipient is not valid')
export const MailOrSmsError = defineError(5025, 'mail_or_sms_error', 'The message could not be sent: {fault}')
export const MessageRefusedError = defineError(5025, 'message_refused', 'The message was refused: {fault}')
