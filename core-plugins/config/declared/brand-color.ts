import type { ConfigItemDeclaration } from '#kernel'
import { texts } from './texts/texts.ts'

/** What buttons and links are coloured after; the console makes shades of it that can be read. */
export const brandColor: ConfigItemDeclaration = {
  key: 'brand_color',
  type: 'COLOR',
  name: texts.of('brand_color'),
  description: texts.of('brand_color.description'),
  default: '',
  public: true,
}
