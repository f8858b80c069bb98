/** The version of the SDK that this platform's sandbox speaks. */
export const sdkVersion = '1.0.0'
