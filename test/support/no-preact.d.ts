/** What Uppy draws with: its types would bring those of browsers into every file, where they stand against Node's own. */
export {}
