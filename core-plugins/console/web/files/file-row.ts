/** A file as lists show one. */
export interface FileRow {
  readonly id: string
  readonly tenant_id: number
  /** In the list of all tenants; null for the platform's. */
  readonly tenant?: { readonly name: string } | null
  readonly owner_name?: string | null
  readonly filename: string
  readonly mime_type: string
  readonly size: number
  readonly visibility: string
  readonly driver: string
  readonly status: string
  readonly thumb_url: string | null
  readonly access_url: string
  readonly created_at: string
}
