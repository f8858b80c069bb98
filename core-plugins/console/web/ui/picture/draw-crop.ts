import type { Crop } from './crop.ts'

/** What of a canvas is outside of the square that is kept, on each side, as a part of the canvas. */
export const margin = 0.1

/** Draws the kept square in the middle of a canvas with what is around it, darker outside of the circle that others see. */
export function drawFrame(canvas: HTMLCanvasElement, picture: ImageBitmap, crop: Crop): void {
  const { width: full } = canvas
  const context = canvas.getContext('2d')
  if (!context) return
  const inner = full * (1 - 2 * margin)
  const scale = inner / crop.side
  context.clearRect(0, 0, full, full)
  context.imageSmoothingQuality = 'high'
  context.drawImage(
    picture,
    full / 2 - crop.x * scale,
    full / 2 - crop.y * scale,
    picture.width * scale,
    picture.height * scale,
  )
  context.beginPath()
  context.rect(0, 0, full, full)
  context.arc(full / 2, full / 2, inner / 2, 0, Math.PI * 2, true)
  context.fillStyle = 'rgb(12 16 24 / 55%)'
  context.fill()
  context.lineWidth = Math.max(1, full / 200)
  context.strokeStyle = '#ffffff'
  context.strokeRect(full * margin, full * margin, inner, inner)
}

/** Draws the kept square, and nothing else, over the whole of a canvas. */
export function drawKept(canvas: HTMLCanvasElement, picture: ImageBitmap, { x, y, side }: Crop): void {
  const context = canvas.getContext('2d')
  if (!context) return
  context.clearRect(0, 0, canvas.width, canvas.height)
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, x - side / 2, y - side / 2, side, side, 0, 0, canvas.width, canvas.height)
}

/** The kept square as a file of this type, no larger than this many pixels a side and never enlarged. */
export async function keptFile(picture: ImageBitmap, crop: Crop, type: string, most: number): Promise<Blob> {
  const canvas = document.createElement('canvas')
  canvas.width = canvas.height = Math.max(1, Math.min(most, Math.round(crop.side)))
  drawKept(canvas, picture, crop)
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, 0.92))
  if (!blob) throw new Error('the canvas gave no picture')
  return blob
}
