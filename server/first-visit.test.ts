import { describe, expect, it } from 'vitest'
import { linkHeaderOf, START_HASH, seenFirst } from './first-visit.ts'
import { takeMarks } from './headers.ts'

const PAGE = `<html><head>
<link rel="preload" href="/assets/a.woff2" as="font" type="font/woff2" crossorigin="anonymous"/>
<link rel="preload" as="image" href="/photo"/>
<link rel="modulepreload" href="/assets/page.js"/>
<link rel="stylesheet" href="/assets/root.css"/></head>
<body><script nonce="m" type="module" async="">import "/assets/page.js"</script>
<p>&lt;link rel="stylesheet" href="/other"&gt;</p></body></html>`

describe('a page that is seen first', () => {
  it('fetches and runs no module by itself', () => {
    const { html } = takeMarks(PAGE, 'm')
    const page = seenFirst(html)
    expect(page).not.toMatch(/rel="modulepreload"|type="module"/)
    expect(page).toContain('<link rel="late" href="/assets/page.js"/>')
    expect(page).toContain('<script type="late">import "/assets/page.js"</script>')
  })

  it('keeps the hashes of its scripts, and has one more', () => {
    const { html, hashes } = takeMarks(PAGE, 'm')
    const marked = seenFirst(html).replaceAll('<script', '<script nonce="m"')
    expect(takeMarks(marked, 'm').hashes).toEqual([...hashes, START_HASH])
  })

  it('names its style and its fonts ahead, the style first, and nothing else', () => {
    expect(linkHeaderOf(PAGE)).toBe(
      '</assets/root.css>; rel=preload; as=style, ' +
        '</assets/a.woff2>; rel=preload; as=font; type="font/woff2"; crossorigin',
    )
  })
})
