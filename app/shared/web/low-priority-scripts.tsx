import { Children, cloneElement, Fragment, isValidElement, type ReactNode } from 'react'
import { Scripts } from 'react-router'

const isLink = (node: ReactNode) => isValidElement(node) && node.type === 'link'
const isFragment = (node: ReactNode) =>
  isValidElement<{ children?: ReactNode }>(node) && node.type === Fragment

/** Sets the fetch priority of the links in what a component has rendered. */
const withLowPriority = (rendered: ReactNode): ReactNode =>
  Children.map(rendered, (node) => {
    if (!isValidElement<{ children?: ReactNode; fetchPriority?: 'low' }>(node)) return node
    if (isLink(node)) return cloneElement(node, { fetchPriority: 'low' })
    return isFragment(node) ? withLowPriority(node.props.children) : node
  })

/**
 * React Router's scripts, whose preloads leave the connection to fonts and pictures first. Pages
 * work before their scripts have arrived.
 */
export const LowPriorityScripts = () => withLowPriority(Scripts({}))
