import { defineError } from '#kernel'

export const ImageParamsInvalidError = defineError(
  4224,
  'image_params_invalid',
  'Some parameters of the image are not valid',
)
export const NotAnImageError = defineError(4225, 'not_an_image', 'The file is no image that can be processed')
export const ImageTooLargeError = defineError(4226, 'image_too_large', 'The image is too large to be processed')
export const ImageRateLimitedError = defineError(4294, 'image_rate_limited', 'Too many images, wait a moment')
export const ImageProcessingFailedError = defineError(5006, 'image_processing_failed', 'The image was not made')
export const ImageOverloadedError = defineError(5033, 'image_overloaded', 'Too many images are being made')
