const kilobyte = 1024

/** Packets that come in are no longer. */
export const maxPacket = 1024 * kilobyte
/** A message that is longer travels in packets of so many bytes, and others between them. */
export const partBytes = 64 * kilobyte
/** From that on a message to a guest is counted until the guest has it; what is smaller is bounded by the number of calls. */
export const counted = 8 * kilobyte
/** So many characters of a call may be under way from its guest before the glue asks for room. */
export const unasked = 64 * kilobyte
