import AdmZip from 'adm-zip'

const names = {
  types: '[Content_Types].xml',
  relations: '_rels/.rels',
  document: 'word/document.xml',
} as const
const head = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const word = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'

/** A Word document of paragraphs; `before` stands before its root, and `filler` is written so many times into it. */
export function docx(paragraphs: readonly string[], before = '', filler = 0): Buffer {
  const zip = new AdmZip()
  const put = (name: string, text: string | Buffer): void => void zip.addFile(name, Buffer.from(text))
  put(
    names.types,
    `${head}<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
      <Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
      <Override PartName="/word/document.xml"
        ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
  )
  put(
    names.relations,
    `${head}<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1"
      Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument" Target="word/document.xml"/></Relationships>`,
  )
  const body = paragraphs.map((text) => `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`).join('')
  const tail = Buffer.alloc(filler, '<w:p/>')
  const opening = Buffer.from(`${head}${before}<w:document xmlns:w="${word}"><w:body>${body}`)
  put(names.document, Buffer.concat([opening, tail, Buffer.from('</w:body></w:document>')]))
  return zip.toBuffer()
}

/** A PDF of pages with a line each. */
export function pdf(lines: readonly string[], repeated = 1): Buffer {
  const objects: string[] = ['<< /Type /Catalog /Pages 2 0 R >>', '']
  objects.push('<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>')
  const kids = lines.map((line) => {
    const content = `BT /F1 12 Tf 72 720 Td (${line}) Tj ET`
    objects.push(`<< /Length ${content.length} >>\nstream\n${content}\nendstream`)
    const font = '/Resources << /Font << /F1 3 0 R >> >>'
    objects.push(`<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] ${font} /Contents ${objects.length} 0 R >>`)
    return `${objects.length} 0 R`
  })
  const all = Array.from({ length: repeated }, () => kids).flat()
  objects[1] = `<< /Type /Pages /Count ${all.length} /Kids [${all.join(' ')}] >>`
  let text = '%PDF-1.4\n'
  const offsets = objects.map((object, at) => {
    const offset = text.length
    text += `${at + 1} 0 obj\n${object}\nendobj\n`
    return offset
  })
  const entries = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('')
  const size = objects.length + 1
  const table = `xref\n0 ${size}\n0000000000 65535 f \n${entries}`
  return Buffer.from(`${text}${table}trailer\n<< /Size ${size} /Root 1 0 R >>\nstartxref\n${text.length}\n%%EOF\n`)
}
