const KILOBYTE = 1024

/** Packets are no longer; a message that is longer travels in several. */
export const MAX_PACKET = 1024 * KILOBYTE
/** From that on a message to a guest is counted until the guest has it; what is smaller is bounded by the number of calls. */
export const COUNTED = 8 * KILOBYTE
/** So many characters of a call may be under way from its guest before the glue asks for room. */
export const UNASKED = 64 * KILOBYTE
