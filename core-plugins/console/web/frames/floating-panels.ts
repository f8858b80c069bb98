/** Opens a floating panel; false where there is none of that name. */
type OpenPanel = (plugin: string, id: string, route?: string) => boolean

let openInDock: OpenPanel | undefined

/** Tells who opens floating panels, until the returned function is called. */
export function serveFloatingPanels(open: OpenPanel): () => void {
  openInDock = open
  return () => {
    if (openInDock === open) openInDock = undefined
  }
}

/** Opens a floating panel of a plugin; false where it has none of that name that the reader may open. */
export const openFloatingPanel: OpenPanel = (plugin, id, route) => openInDock?.(plugin, id, route) ?? false
