import { describe, expect, it } from 'vitest'
import { safePath } from './return-path.ts'

describe('the page to come back to after logging in', () => {
  it('is a path of this site, with its search and hash', () => {
    for (const path of ['/cart', '/search?q=a%20b&page=2', '/product/cup#photo', '/']) {
      expect(safePath(path)).toBe(path)
    }
  })

  it('is never another site', () => {
    const elsewhere = [
      'https://evil.example/',
      '//evil.example',
      '/\\evil.example',
      '/\t/evil.example',
      '/a/..//evil.example',
      '/./\\evil.example',
      '/%2e%2e//evil.example',
      'javascript:alert(1)',
      'cart',
      ' /cart',
    ]
    for (const path of elsewhere) expect(safePath(path), path).toBe('/')
  })

  it('is the home page where nothing sensible is remembered', () => {
    for (const target of [
      null,
      undefined,
      '',
      7,
      {},
      ['/cart'],
      '//',
      '/login',
      '/login?from=/cart',
    ]) {
      expect(safePath(target)).toBe('/')
    }
  })
})
