const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#x27;',
}

/** Control characters, which XML 1.0 does not allow, not even escaped, and noncharacters. */
const FORBIDDEN = /(?![\t\n\r])\p{Cc}|[\ufffe\uffff]/gu

/** Text for elements and attributes of XML and HTML. */
export const escapeXml = (text: string) =>
  text.replace(FORBIDDEN, '').replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

export const XML_DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>\n'

/** An element with text; empty without one. */
export const element = (name: string, text: string | number | null): string =>
  text === null ? '' : `<${name}>${escapeXml(String(text))}</${name}>`
