import { expect, it } from 'vitest'
import { neededIn } from './install.ts'

it('follows what packages need to run, to the version that each of them finds', () => {
  const locked = {
    '': { dependencies: { a: '1' }, devDependencies: { d: '1' } },
    'node_modules/a': { dependencies: { b: '2' }, optionalDependencies: { c: '1', gone: '1' } },
    'node_modules/a/node_modules/b': { dependencies: { c: '1' } },
    'node_modules/b': {},
    'node_modules/c': {
      peerDependencies: { e: '1', f: '1' },
      peerDependenciesMeta: { f: { optional: true } },
    },
    'node_modules/d': {},
    'node_modules/e': {},
    'node_modules/f': {},
  }
  expect(neededIn(locked).sort()).toEqual([
    'node_modules/a',
    'node_modules/a/node_modules/b',
    'node_modules/c',
    'node_modules/e',
  ])
})
