/** The back office's calls for categories: create, rename, delete. */
import { Type } from 'typebox'
import type { AdminMenu } from '../shared/contract/admin-menu.ts'
import { type Contract, endpoint } from '../shared/contract/endpoint.ts'
import { Done, FilledText, Id } from '../shared/contract/fields.ts'
import { Category } from './contract.ts'

const ById = Type.Object({ id: Id })
const Naming = Type.Object({ name: FilledText(100) })
const Named = Type.Object({ ...Done.properties, category: Category })

export const categoryAdminCalls = {
  createCategory: endpoint({
    method: 'POST',
    path: '/category/create-category',
    access: 'admin',
    summary: 'Adds a category; names are compared without case and blanks',
    body: Naming,
    answer: Named,
    status: 201,
  }),
  updateCategory: endpoint({
    method: 'PUT',
    path: '/category/update-category/:id',
    access: 'admin',
    summary: 'Renames a category; its former addresses keep answering',
    params: ById,
    body: Naming,
    answer: Named,
  }),
  deleteCategory: endpoint({
    method: 'DELETE',
    path: '/category/delete-category/:id',
    access: 'admin',
    summary: 'Deletes a category that has no products',
    params: ById,
    answer: Done,
  }),
} satisfies Contract

export const adminMenu: AdminMenu = [
  { path: '/dashboard/admin/create-category', label: 'Create Category', position: 10 },
]
