import { createUploadQueue } from './upload-queue.ts'

/** The files that the reader puts among their own; they go on while other pages are shown. */
export const ownUploads = createUploadQueue({ usage: 'general' })
