/**
 * The variants of a product in the data of its page. Their ids are random and cannot be compressed, so 500
 * variants are one text: the ids as bytes, and a column for each other fact.
 */
import type { DetailedProduct } from '../contract.ts'
import type { SoldVariant } from '../sold-variant-contract.ts'

export type PackedProduct = Omit<DetailedProduct, 'variants'> & { variants?: string }

type Packed = { ids: string; columns: Record<string, unknown[]> }

export function packVariants({ variants, ...product }: DetailedProduct): PackedProduct {
  if (!variants) return product
  const hex = variants.map(({ _id }) => _id.replaceAll('-', '')).join('')
  const names = new Set(variants.flatMap(({ _id, ...facts }) => Object.keys(facts)))
  const columns = [...names].map((name) => [
    name,
    variants.map((variant) => variant[name as keyof SoldVariant] ?? null),
  ])
  const packed: Packed = {
    ids: btoa(hex.replace(/../g, (byte) => String.fromCharCode(Number.parseInt(byte, 16)))),
    columns: Object.fromEntries(columns),
  }
  return { ...product, variants: JSON.stringify(packed) }
}

const hexOf = (byte: string) => byte.charCodeAt(0).toString(16).padStart(2, '0')

/** The product as the API answers it, from which it may come as well. */
export function unpackVariants(product: PackedProduct | DetailedProduct): DetailedProduct {
  const { variants, ...others } = product
  if (typeof variants !== 'string') return { ...others, ...(variants && { variants }) }
  const { ids, columns }: Packed = JSON.parse(variants)
  const hex = [...atob(ids)].map(hexOf).join('')
  const rows = (hex.match(/.{32}/g) ?? []).map((id, at) => ({
    _id: id.replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-'),
    ...Object.fromEntries(
      Object.entries(columns).flatMap(([name, column]) =>
        column[at] === null ? [] : [[name, column[at]]],
      ),
    ),
  }))
  return { ...others, variants: rows as SoldVariant[] }
}
