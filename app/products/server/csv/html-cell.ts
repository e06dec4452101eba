/** Descriptions that are HTML, as the files of other shops have them. */
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'

const TAG =
  /<\/?(?:a|b|blockquote|br|center|code|del|div|em|font|h[1-6]|hr|i|iframe|img|ins|li|ol|p|pre|s|script|section|small|span|strike|strong|style|sub|sup|svg|table|tbody|td|th|thead|tr|u|ul)(?:\s[^<>]*)?\/?>/i

/** Code may have tags. */
const CODE = /`[^`\n]*`/g

export const isHtml = (text: string) => text.includes('<') && TAG.test(text.replace(CODE, ''))

/** The Markdown of a description in HTML. Others may use the event loop in between. */
export async function convertHtml(html: string): Promise<string> {
  const { markdownOf } = await import('./html.ts')
  const markdown = markdownOf(html)
  await yieldToEventLoop()
  return markdown
}
