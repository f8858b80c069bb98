import type { Site } from '../api/public.ts'

/** What a page without a session looks like. */
export interface SiteLooks {
  readonly name: string
  readonly logo: string
  readonly darkLogo: string
  readonly icon: string
  readonly brandColor: string
  readonly background: string
  readonly title: string
  readonly subtitle: string
  readonly copyright: string
  readonly record: string
}

/** The looks of a site: of the tenant whose host it is, or of the platform. */
export function siteLooks({ platform, tenant }: Site): SiteLooks {
  if (!tenant)
    return {
      name: platform.site_name,
      logo: platform.site_logo,
      darkLogo: platform.logo_dark,
      icon: platform.site_favicon,
      brandColor: platform.brand_color,
      background: '',
      title: '',
      subtitle: '',
      copyright: platform.site_copyright,
      record: platform.site_icp,
    }
  return {
    name: tenant.tenant_name,
    logo: tenant.logo_url,
    darkLogo: tenant.logo_dark_url,
    icon: tenant.favicon_url,
    brandColor: tenant.brand_color,
    background: tenant.login_bg,
    title: tenant.login_title,
    subtitle: tenant.login_subtitle,
    copyright: tenant.footer_copyright,
    record: tenant.icp,
  }
}
