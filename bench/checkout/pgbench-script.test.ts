import { expect, it } from 'vitest'
import { preparedName } from '#db/prepared.ts'
import { buyerId, networkOfBuyer, productId } from './fixtures.ts'
import { literalOf, scriptOf } from './pgbench-script.ts'

it('writes any parameter as a literal', () => {
  const values = [null, 5, true, "it's", Buffer.from([1, 255]), ['a"b', null], { a: 1 }]
  expect(values.map(literalOf)).toEqual([
    ...['null', "'5'", "'true'", "'it''s'", "'\\x01ff'", `'{"a\\"b",null}'`, `'{"a":1}'`],
  ])
})

it('gives each run another buyer, other products and new ids', () => {
  const made = '01999999-aaaa-7bbb-8ccc-dddddddddddd'
  const script = scriptOf(
    [
      { sql: 'begin', parameters: [] },
      { sql: '/* prepared */ select $1', parameters: [buyerId(1000)] },
      { sql: 'select $1, $2', parameters: [buyerId(1000), [productId(1000), productId(1999)]] },
      { sql: 'insert $1, $2', parameters: [made, networkOfBuyer(1000)] },
      { sql: 'update $1 for $2 of $3', parameters: ['order_abc', 'pay_def', made] },
    ],
    { buyer: 1000, products: [1000, 1999], providerOrderId: 'order_abc', paymentId: 'pay_def' },
  )
  const statements = script.split('\n').filter((line) => !/^\\set (?!isFirstRun)/.test(line))
  const name = preparedName('/* prepared */ select $1')
  expect(statements).toEqual([
    '\\if :isFirstRun',
    `prepare "${name}" as /* prepared */ select $1;`,
    '\\set isFirstRun 0',
    '\\endif',
    'begin;',
    `execute "${name}" ('${buyerId(':buyer')}');`,
    `select '${buyerId(':buyer')}', '{"${productId(':first')}","${productId(':second')}"}';`,
    `insert ':a0-:b0-7000-8000-:c0', '10.7.:third.:fourth';`,
    `update 'order_:opened1:opened2' for 'pay_:paid1:paid2' of ':a0-:b0-7000-8000-:c0';`,
    '',
  ])
  const known = [...script.matchAll(/^\\set (\w+)/gm)].map(([, name]) => name)
  const used = [...statements.join('\n').matchAll(/:([a-z]\w*)/g)].map(([, name]) => name)
  expect(new Set(known)).toEqual(new Set(used))
})
