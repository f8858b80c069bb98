const edge = 8

/** Puts something that lies over the page below what it belongs to, or above it where it would not fit; at its beginning, or at its end. */
export function placeBeside(shown: HTMLElement, of: Element, { gap, side }: { gap: number; side: 'left' | 'right' }) {
  const box = of.getBoundingClientRect()
  const { width, height } = shown.getBoundingClientRect()
  const isBelow = box.bottom + height + 12 < innerHeight
  const left = side === 'left' ? box.left : box.right - width
  shown.style.left = `${Math.max(edge, Math.min(left, innerWidth - width - edge))}px`
  shown.style.top = `${Math.max(edge, isBelow ? box.bottom + gap : box.top - height - gap)}px`
}
